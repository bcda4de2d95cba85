import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS, effectiveSettings, parseSettings } from './settings.js'

const errorsOf = (input: unknown) => {
  const parsed = parseSettings(input)
  return parsed.ok ? [] : parsed.errors
}

describe('settings', () => {
  it('take nothing as the defaults, and the defaults as themselves', () => {
    expect(parseSettings({})).toEqual({ ok: true, value: DEFAULT_SETTINGS })
    expect(parseSettings(DEFAULT_SETTINGS)).toEqual({ ok: true, value: DEFAULT_SETTINGS })
  })

  it('lay a part over the defaults and leave those as they were', () => {
    const first = parseSettings({ thresholds: { goal_completion: 0.5 }, finality: { veto_severity: 'low' } })
    if (!first.ok) throw new Error('refused')
    const second = parseSettings({ thresholds: { risk_inverse: 0.1, goal_completion: null }, finality: null })
    if (!second.ok) throw new Error('refused')
    expect(first.value.thresholds).toEqual({ ...DEFAULT_SETTINGS.thresholds, goal_completion: 0.5 })
    expect(first.value.finality).toEqual({ ...DEFAULT_SETTINGS.finality, veto_severity: 'low' })
    expect(second.value.thresholds).toEqual({ ...DEFAULT_SETTINGS.thresholds, risk_inverse: 0.1 })
    expect(second.value.finality).toEqual(DEFAULT_SETTINGS.finality)
    expect(DEFAULT_SETTINGS.thresholds.goal_completion).toBe(0)
  })

  it('refuse with a pointer and a reason', () => {
    expect(errorsOf(7)).toEqual([{ pointer: '', detail: 'must be an object' }])
    expect(errorsOf({ colours: {} })).toMatchObject([{ pointer: '/colours', detail: expect.stringContaining('weights') }])
    expect(errorsOf({ weights: { constructor: 1 } })).toMatchObject([{ pointer: '/weights/constructor' }])
    expect(errorsOf({ weights: [] })).toMatchObject([{ pointer: '/weights', detail: 'must be an object' }])
    expect(errorsOf({ convergence: { rate_rounds: 2.5 } })).toMatchObject([
      { pointer: '/convergence/rate_rounds', detail: 'must be a whole number from 1 to 20' },
    ])
    expect(errorsOf({ finality: { veto_severity: 'none' } })).toMatchObject([{ pointer: '/finality/veto_severity' }])
    expect(errorsOf({ targets: { goal_completion: 0 }, thresholds: { goal_completion: '1' } })).toHaveLength(2)
  })

  it('refuse weights that do not add up to 1, and a plateau band upside down', () => {
    expect(errorsOf({ weights: { goal_completion: 0.3 } })).toEqual([{ pointer: '/weights', detail: 'must add up to 1, not 1.05' }])
    expect(errorsOf({ weights: { goal_completion: 0.2, risk_inverse: 0.2 } })).toEqual([])
    expect(errorsOf({ finality: { plateau_low: 0.9, plateau_high: 0.5 } })).toMatchObject([{ pointer: '/finality/plateau_low' }])
  })

  it('that are stored and no longer fit fall back one by one, and those set beside them stay', () => {
    const { weights, finality } = DEFAULT_SETTINGS
    expect(effectiveSettings({ colours: {}, finality: { signatures: 2, minimum_claims: 0, mood: 1 } })).toEqual({
      ...DEFAULT_SETTINGS,
      finality: { ...finality, signatures: 2 },
    })
    const crossed = effectiveSettings({
      weights: { goal_completion: 0.3 },
      finality: { signatures: 2, plateau_low: 0.9, plateau_high: 0.5 },
    })
    expect(crossed).toEqual({ ...DEFAULT_SETTINGS, weights, finality: { ...finality, signatures: 2 } })
    for (const nothing of [null, 7, [], 'x']) expect(effectiveSettings(nothing)).toEqual(DEFAULT_SETTINGS)
  })
})
