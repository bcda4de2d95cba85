/** Time stamps made by OpenSSL's `ts` are checked in `npm run test:anchors`; this is one of them. */

import { createHash, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decode, encode, encodeOid, oidOf, tags } from './der.js'
import { timeStampRequest, verifyTimeStamp } from './time-stamp.js'

const response = Buffer.from(
  'MIIE9jADAgEAMIIE7QYJKoZIhvcNAQcCoIIE3jCCBNoCAQMxDzANBglghkgBZQMEAgEFADBtBgsqhkiG9w0BCRABBKBeBFwwWgIBAQYEKgMEATAxMA0GCWCGSAFlAwQCAQUABCAtcRZC' +
    'tyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgQIBAhgPMjAyNjExMTcxNTA4MjBaAghZB3sEyYPGp6CCAxEwggGfMIIBRKADAgECAhQIor+pgf9QkZ2TdeNCu3HtgaigfjAKBggqhkjO' +
    'PQQDAjASMRAwDgYDVQQDDAdUZXN0LUNBMCAXDTI2MTExNzE1MDgyMFoYDzIxMjYxMDI0MTUwODIwWjATMREwDwYDVQQDDAhUZXN0LVRTQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA' +
    'BPuytAJ9XHgTca2xL+wwi3BJFh/UXse2kES7hgQrtsWHmdKItWtGw/o2ykkEzkQf+o0Y8As4T4VdfHSp5Y0LQiCjdTBzMAkGA1UdEwQCMAAwDgYDVR0PAQH/BAQDAgeAMBYGA1UdJQEB' +
    '/wQMMAoGCCsGAQUFBwMIMB0GA1UdDgQWBBRc+SNlOX07/iQWAoUu5Gyl2FjlKjAfBgNVHSMEGDAWgBS7IcDi6WQnU5+PB33lIIu6Rot+BjAKBggqhkjOPQQDAgNJADBGAiEAwI8Yni55' +
    'hfznbF8LfyyTiekpPNtUpIkBvPwET0Po3qMCIQCeP/DoUxNzirSDpldK/3/+La4hXw+aQwnx0aK4yAfNfzCCAWowggEQoAMCAQICFHUvBTipYN7uNaw6CtnEsTxM1oocMAoGCCqGSM49' +
    'BAMCMBIxEDAOBgNVBAMMB1Rlc3QtQ0EwIBcNMjYxMTE3MTUwODIwWhgPMjEyNjEwMjQxNTA4MjBaMBIxEDAOBgNVBAMMB1Rlc3QtQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATM' +
    'kV/BixH17ZZWKPwgfGDHG7Wq80AFql3UuwkMutyeX0c/TD0JlgiWVTdUzo5JsD/mYoMrfaStw4C/y+YZVngXo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDAdBgNV' +
    'HQ4EFgQUuyHA4ulkJ1Ofjwd95SCLukaLfgYwCgYIKoZIzj0EAwIDSAAwRQIgEez765HJbznt36VU7HhYdgJUPxTe6AeD92y8bS51btUCIQDPXiL1LNiOiq5g4XfuyE1uMi4tuaC09m12' +
    '1UL57YNcMDGCAT4wggE6AgEBMCowEjEQMA4GA1UEAwwHVGVzdC1DQQIUCKK/qYH/UJGdk3XjQrtx7YGooH4wDQYJYIZIAWUDBAIBBQCggaQwGgYJKoZIhvcNAQkDMQ0GCyqGSIb3DQEJ' +
    'EAEEMBwGCSqGSIb3DQEJBTEPFw0yNjExMTcxNTA4MjBaMC8GCSqGSIb3DQEJBDEiBCAGIaPZtFgcd/HVd0Jcce9Wxq/mppus+qR77Cbfm1mjNjA3BgsqhkiG9w0BCRACLzEoMCYwJDAi' +
    'BCAxuLfHKv1YfOKE1yFi+kVk3PU0A45VN/+YmOQZDAlqozAKBggqhkjOPQQDAgRHMEUCIQD8nnDzks6e8Up1JR6nm5MRETN9jP20pUTrfiLVpqednAIgR4Tr2GhF9Zeu+pgvtauHN0A9' +
    'oC4YSUlI/a4v6PeTW68=',
  'base64',
)
const authority = new X509Certificate(`-----BEGIN CERTIFICATE-----
MIIBajCCARCgAwIBAgIUdS8FOKlg3u41rDoK2cSxPEzWihwwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdC1DQTAgFw0yNjExMTcxNTA4MjBaGA8yMTI2MTAyNDE1
MDgyMFowEjEQMA4GA1UEAwwHVGVzdC1DQTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABMyRX8GLEfXtllYo/CB8YMcbtarzQAWqXdS7CQy63J5fRz9MPQmWCJZVN1TO
jkmwP+Zigyt9pK3DgL/L5hlWeBejQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0P
AQH/BAQDAgIEMB0GA1UdDgQWBBS7IcDi6WQnU5+PB33lIIu6Rot+BjAKBggqhkjO
PQQDAgNIADBFAiAR7PvrkclvOe3fpVTseFh2AlQ/FN7oB4P3bLxtLnVu1QIhAM9e
IvUs2I6KrmDhd+7ITW4yLi25oLT2bXbVQvntg1ww
-----END CERTIFICATE-----`)
const digest = createHash('sha256').update('x').digest()

describe('a time stamp', () => {
  it('is right about the digest it was asked for, by an authority that is trusted', () => {
    expect(verifyTimeStamp(response, { digest, trusted: [authority] })).toMatchObject({
      ok: true,
      at: '2026-11-17T15:08:20.000Z',
      authority: 'CN=Test-TSA',
    })
    expect(verifyTimeStamp(response, { digest })).toMatchObject({ ok: true })
  })

  it('is refused about anything else, for another request, and where nobody who is trusted stands behind it', () => {
    const fault = (given: Parameters<typeof verifyTimeStamp>[1], bytes: Buffer = response) => {
      const verdict = verifyTimeStamp(bytes, given)
      return verdict.ok ? null : verdict.fault
    }
    expect(fault({ digest: createHash('sha256').update('y').digest() })).toBe('the time stamp is of something else')
    expect(fault({ digest, nonce: Buffer.from('0123456789abcdef', 'hex') })).toBe('the time stamp answers another request')
    expect(fault({ digest, trusted: [] })).toContain('leads to none that is trusted')
    const refused = encode(tags.sequence, encode(tags.sequence, encode(tags.integer, Buffer.from([2]))))
    expect(fault({ digest }, refused)).toBe('the authority granted nothing (status 02)')
  })

  it('is refused with a byte of it changed that the authority vouches for, or cut off anywhere', () => {
    // The stamp, the certificate that signed, and the signed attributes with the signature, by their places in it.
    const vouched: [number, number][] = [
      [71, 163],
      [167, 586],
      [response.length - 230, response.length],
    ]
    for (const [first, end] of vouched) {
      for (let place = first; place < end; place += 5) {
        const changed = Buffer.from(response)
        changed[place] = (changed[place] ?? 0) ^ 0x01
        expect(verifyTimeStamp(changed, { digest, trusted: [authority] }).ok, String(place)).toBe(false)
      }
    }
    for (let length = 0; length < response.length; length += 7)
      expect(verifyTimeStamp(response.subarray(0, length), { digest }).ok).toBe(false)
  })

  it('is asked for as RFC 3161 writes it', () => {
    const nonce = Buffer.from('ffeeddccbbaa9988', 'hex')
    expect(timeStampRequest(digest, nonce).toString('hex')).toBe(
      `3044020101${'3031300d060960864801650304020105000420'}${digest.toString('hex')}020901ffeeddccbbaa99880101ff`,
    )
  })
})

describe('DER', () => {
  it('has lengths of any size and identifiers of any arc', () => {
    for (const bytes of [0, 127, 128, 255, 256, 65_535, 65_536]) {
      const written = encode(tags.octets, Buffer.alloc(bytes, 7))
      expect(decode(written).content.length).toBe(bytes)
    }
    for (const oid of ['1.2.840.113549.1.9.16.1.4', '2.16.840.1.101.3.4.2.1', '2.999.1', '0.9.2342'])
      expect(oidOf(decode(encodeOid(oid)))).toBe(oid)
  })
})
