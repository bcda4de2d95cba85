#!/bin/sh
# Runs once, in an empty PostgreSQL container: the owner that Concord connects as. No superuser; it may make the two
# login roles under which the service works.
set -eu
owner_password="$(cat /run/secrets/owner_password)"
psql -v ON_ERROR_STOP=1 -v password="$owner_password" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role concord login createrole password :'password';
create database concord owner concord;
SQL
