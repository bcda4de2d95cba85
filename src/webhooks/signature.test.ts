import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signatureOf } from './signature.js'

describe('a signature', () => {
  it('is the one the specification publishes as its example', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
    expect(signatureOf(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('verifies with the package of the specification, under each secret in use', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()]
    const message = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body: '{"type":"contradiction.detected","name":"Überblick"}' }
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signatureOf(message, secrets),
    }
    for (const secret of secrets) expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body))
    expect(() => new Webhook(newWebhookSecret()).verify(message.body, headers)).toThrow()
    expect(() => new Webhook(secrets[0] as string).verify(`${message.body} `, headers)).toThrow()
  })
})
