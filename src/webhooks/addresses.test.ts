import { describe, expect, it } from 'vitest'
import { isPublicAddress, urlFault } from './addresses.js'

describe('addresses that are not public', () => {
  it.each([
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1']],
    ['link-local', ['169.254.0.1', 'fe80::1', 'fe80::1%eth0']],
    ['metadata of clouds', ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254']],
    ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
    ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0a00:0001', '::8.8.8.8']],
    ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1']],
    ['other embeddings of IPv4', ['2002:7f00:1::', '2001:0:7f00:1::']],
    [
      'multicast, reserved, broadcast and documentation',
      ['224.0.0.1', '240.0.0.1', '255.255.255.255', '203.0.113.9', 'ff02::1', '2001:db8::1', '3fff::1'],
    ],
    ['benchmarks and relays', ['198.18.0.1', '192.88.99.1']],
    ['no addresses', ['', 'example.com', '127.1', '0x7f000001']],
  ])('are refused: %s', (_name, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

  it('leave the public ones', () => {
    const open = [
      '8.8.8.8',
      '100.63.255.255',
      '100.128.0.0',
      '172.15.0.1',
      '172.32.0.1',
      '169.253.1.1',
      '2606:4700::1111',
      '2a00:1450:4001::64',
    ]
    expect(open.filter(isPublicAddress)).toEqual(open)
  })
})

const onlyOwn = 'where all receivers are your own, the operator allows others with WEBHOOK_ALLOW_PRIVATE=true'

describe('the URL of an endpoint', () => {
  it.each([
    ['https://example.com/hook?x=1', null],
    ['https://8.8.8.8:8443/', null],
    ['http://example.com/', `must begin with https://; ${onlyOwn}`],
    ['ftp://example.com/', 'must begin with https://'],
    ['https://user:secret@example.com/', 'must not hold a user or password'],
    ['https://example.com/#part', 'must not hold a fragment'],
    ['https://localhost/', `must be at a public address; ${onlyOwn}`],
    ['https://api.localhost./', `must be at a public address; ${onlyOwn}`],
    ['https://127.0.0.1/', `must be at a public address; ${onlyOwn}`],
    // Other ways to write the same addresses.
    ['https://2130706433/', `must be at a public address; ${onlyOwn}`],
    ['https://0x7f.1/', `must be at a public address; ${onlyOwn}`],
    ['https://0/', `must be at a public address; ${onlyOwn}`],
    ['https://[::ffff:127.0.0.1]/', `must be at a public address; ${onlyOwn}`],
    ['https://[::]/', `must be at a public address; ${onlyOwn}`],
    ['nowhere', 'is not a URL'],
  ])('%s', (url, fault) => {
    expect(urlFault(url, false)).toBe(fault)
  })

  it('may be private and plain where that is allowed', () => {
    expect([urlFault('http://127.0.0.1:8080/', true), urlFault('http://user@127.0.0.1/', true)]).toEqual([
      null,
      'must not hold a user or password',
    ])
  })
})
