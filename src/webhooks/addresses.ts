/**
 * Which addresses messages may be sent to. Everything that is not on the public internet is refused: loopback, private,
 * link-local and the metadata services of clouds, carrier-grade NAT, unspecified, multicast and reserved ranges. Of IPv6
 * only global unicast is public, which leaves out IPv4-mapped addresses and both prefixes of NAT64; what embeds IPv4 or
 * is not for traffic inside it is refused by name.
 */

import { BlockList, isIP } from 'node:net'

const refusedV4 = networks('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The platform of Azure answers here, at an address that looks public.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
const globalV6 = networks('ipv6', ['2000::/3'])
/** Protocol assignments (Teredo among them), documentation, and 6to4. */
const refusedV6 = networks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refusedV4.check(address, 'ipv4')
    case 6:
      return globalV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6')
    default:
      return false
  }
}

/** What is wrong with the address of an endpoint before anything is looked up; null when nothing is. */
export function urlFault(text: string, allowPrivate: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return 'is not a URL'
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return notHttps(url.protocol)
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password'
  if (url.hash !== '') return 'must not hold a fragment'
  if (allowPrivate) return null
  const isLocalName = /(^|\.)localhost\.?$/i.test(url.hostname)
  return isLocalName || isPrivateHost(url) ? `must be at a public address; ${onlyOwn}` : null
}

/** An address that is not public; what a name leads to is found out when it is looked up. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url)
  return isIP(host) !== 0 && !isPublicAddress(host)
}

const onlyOwn = 'where all receivers are your own, the operator allows others with WEBHOOK_ALLOW_PRIVATE=true'

function notHttps(protocol: string): string {
  return protocol === 'http:' ? `must begin with https://; ${onlyOwn}` : 'must begin with https://'
}

/** Without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function networks(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
