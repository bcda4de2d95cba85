import { describe, expect, it } from 'vitest'
import { canBeSignedOff } from './signable'

const failing = (...names: string[]) =>
  ['quiescent', 'evidence_present', 'minimum_content', 'examined'].map(gate => ({ gate, ok: !names.includes(gate) }))

describe('a case', () => {
  it('can be signed off once no gate but its examination fails', () => {
    expect(canBeSignedOff(failing('examined'), 0)).toBe(true)
    expect(canBeSignedOff(failing(), 0)).toBe(true)
    expect(canBeSignedOff(failing('examined', 'quiescent'), 0)).toBe(false)
  })

  it('can be signed off without enough content while papers are left that the signer can have read', () => {
    expect(canBeSignedOff(failing('examined', 'minimum_content'), 1)).toBe(true)
    expect(canBeSignedOff(failing('examined', 'minimum_content'), 0)).toBe(false)
    expect(canBeSignedOff(failing('examined', 'minimum_content', 'evidence_present'), 1)).toBe(false)
  })
})
