import { expect, it } from 'vitest'
import { networkOf } from './network.js'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1:ffff:1:2:3', '2001:db8:0:1::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['2001:db8:0:2::5', '2001:db8:0:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is of %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
