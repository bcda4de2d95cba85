# syntax=docker/dockerfile:1
# The service without its embedded database: containers are given one by DATABASE_URL.

# Tags move. Pin what you have tried: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM $NODE_IMAGE AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json openapi.json ./
COPY scripts/build.mjs scripts/client-declarations.mjs scripts/client-types.mjs scripts/
COPY src/ src/
COPY desk/ desk/
RUN npm run build

FROM $NODE_IMAGE AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

FROM $NODE_IMAGE
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3003 \
    METRICS_PORT=9464 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules/
COPY --from=build /app/dist dist/
COPY package.json openapi.json LICENSE ./
COPY bin/ bin/
COPY migrations/ migrations/
COPY deploy/healthcheck.mjs deploy/
# Nothing below /app belongs to the account that runs it, and the root may be mounted read-only.
USER 1000:1000
EXPOSE 3003 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/deploy/healthcheck.mjs"]
ENTRYPOINT ["node", "/app/bin/concord.mjs"]
CMD ["serve"]
