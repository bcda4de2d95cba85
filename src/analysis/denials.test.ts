/** What is absent against what is there, what is said of all against an exception, and opposite states. */
import { describe, expect, it } from 'vitest'
import { verdictsBetween as verdicts } from '../../test/support/two-letters.js'
import { judgementOf, turnOf } from './actions.js'
import { coreOf, quantityOf } from './cores.js'
import { absentIn, presentIn } from './presence.js'
import { stem, tokenize } from './words.js'

describe('what is absent', () => {
  it.each([
    ['There was no case of rope burn', [[stem('rope'), 'burn']]],
    ['There are no liens or writs outstanding', [['lien'], ['writ']]],
    ['Winch steering panel none foreseen', [[stem('winch'), 'steer', 'panel']]],
  ])('in %j', (text, wanted) => {
    expect(absentIn(tokenize(text))).toEqual(wanted)
  })

  it('is not whoever did not do something', () => {
    expect(absentIn(tokenize('No winch passed the load trial'))).toEqual([])
    expect(absentIn(tokenize('No master holds shares of the ferry'))).toEqual([])
  })

  it.each([
    ['The diver developed a rope burn', [stem('rope'), 'burn']],
    ['A writ was lodged in May', ['writ']],
    ['The rope burn of 3 May was treated', [stem('rope'), 'burn']],
    ['Rope burn occurred twice', [stem('rope'), 'burn']],
  ])('is there in %j', (text, wanted) => {
    expect(presentIn(tokenize(text))).toEqual(expect.arrayContaining(wanted))
  })
})

describe('what is said of what', () => {
  const core = (text: string) => coreOf(text, tokenize(text))
  it.each([
    ['The winch was out of service from May', { head: stem('winch'), predicate: 'use', negated: true }],
    ['The winch was in continuous operation', { head: stem('winch'), predicate: 'use', negated: false }],
    ['The charter remains under negotiation', { head: stem('charter'), predicate: 'sign', negated: true }],
    ['The diving plan is in force', { head: 'plan', predicate: 'valid', negated: false }],
    ['The telegram was drafted but never sent', { head: stem('telegram'), predicate: 'giv', negated: true }],
  ])('by a phrase: %j', (text, wanted) => {
    expect(core(text)).toMatchObject(wanted)
  })

  it('by whoever judges it', () => {
    expect(judgementOf(tokenize('We consider the alarm refuted'))).toMatchObject({ head: 'alarm', predicate: 'confirm', negated: true })
    expect(judgementOf(tokenize('They found the winch in May'))).toBeNull()
  })

  it('by what it turned to', () => {
    expect(turnOf(tokenize('The diving licence lapsed on 3 May'))).toMatchObject({ predicate: 'valid', negated: true })
  })

  it('of all, of some', () => {
    expect(quantityOf(tokenize('All seven winches are manned'))).toEqual({ whole: true, part: false })
    expect(quantityOf(tokenize('Six of the seven winches are manned'))).toEqual({ whole: false, part: true })
    expect(quantityOf(tokenize('7 of the 7 winches are manned'))).toEqual({ whole: true, part: false })
  })
})

describe('statements that deny each other', () => {
  it.each([
    ['There was no case of rope burn.', 'The rope burn of diver 14 (2 February 2031) was treated on board.'],
    ['There was no case of rope burn.', 'One case of rope burn occurred in February 2031.'],
    ['There are no pending lawsuits.', 'Two lawsuits are pending before the harbour court.'],
    ['No moorings were affected.', 'The mooring store was flooded in May.'],
    ['A rescue diver is on duty at all hours.', 'There was no rescue diver on duty at night.'],
    ['The depot will not be part of the sale.', 'The depot is included in the sale.'],
    ['The insurer has confirmed cover for the incident and I see no obstacle.', 'The insurer has not confirmed cover for this event.'],
    ['The quay lawsuit was settled.', 'The quay litigation was not settled.'],
    ['The winch was tested.', 'The winch was at no time tested.'],
    ['The winch complies with the permit.', 'The winch is in breach of the permit.'],
    ['There are no liens or writs outstanding.', 'The yard lodged a writ against the owner, which is still pending.'],
    ['Anchor chains were verified at each berth during the year.', 'No verification of anchor chains took place at this berth.'],
    ['Divers were trained in rescue.', 'No training of divers took place.'],
    ['All seven winches are manned.', 'Five of the seven winches are manned.'],
    ['The capstans of all tugs were in working order.', 'The capstans of four tugs have been locked since January.'],
    [
      'Ballast cooling was in continuous operation throughout the year.',
      'Logs show that the cooling unit was out of service for ten days.',
    ],
    ['The mooring deed has been signed.', 'The mooring deed remains under negotiation.'],
    ['We consider the gearbox alarm refuted.', 'The gearbox alarm is confirmed.'],
    ['The anchor clause was triggered.', 'The owner does not accept that the anchor clause was triggered.'],
    ['All berths are staffed.', 'Of the berths, Hamnvik has no staff.'],
    ['Signed berth slips are on file for all guests.', 'For five guests no signed berth slip could be produced.'],
    ['Mooring levels are not defined for any quay.', 'The harbour plan is in force, with three levels of mooring.'],
    ['The hoist is in service.', 'The hoist has been shut down since January.'],
    ['The anchors were delivered late.', 'Delivery of the anchors was on time.'],
    ['The gangway was released without testing.', 'The gangway was tested before the season.'],
    ['Inspection of the yachts was halted.', 'The yachts were inspected in spring.'],
    ['The divers had full access to the lock.', 'The divers were refused access to the lock.'],
    ['No skipper had a valid chart.', 'A skipper had a valid chart.'],
    ['The cover note covers storm damage.', 'Storm damage is excluded from the cover note.'],
    ['Angling is prohibited on the quay.', 'Angling is allowed on the quay.'],
    ['The ropes were tested by an independent yard.', "The ropes were tested in the maker's own shed."],
    ['Parts of the log are missing.', 'The log is complete.'],
    ['Nobody was injured in the lock.', 'One diver was injured in the lock.'],
    ['The tug was seaworthy.', 'The tug was unseaworthy.'],
    ['There were no interruptions of the quay lighting.', 'The quay lighting was interrupted twice.'],
    ['The skipper has always paid the berth fee on time.', 'The skipper paid the berth fee late on three occasions.'],
    ['The wreck file is complete.', 'The wreck file lacks 14 charts.'],
    ['No payment has been made to the pilot.', 'A payment of USD 900 to the pilot was made in May.'],
    ['The yard holds a valid blasting licence.', 'The blasting licence of the yard lapsed in April.'],
    ['The tug carried no explosive flares.', 'The tug carried 14 boxes of explosive flares.'],
    ['The cadets were supervised at all times.', 'The cadets were left unsupervised for an hour.'],
    ['Nothing was removed from the wreck.', 'Twelve anchors were removed from the wreck.'],
    ['Both winches started.', 'One of the winches did not start.'],
    ['The mooring deed has been signed.', 'Harbour dues were charged to the guest boats although no mooring deed had been signed.'],
    [
      'Dives were led by the sea school, which held a rescue licence for all waters.',
      'The rescue licence of the sea school lapsed in May.',
    ],
    ['The gauges were read without rinsing of the tide tube.', 'The readings were taken after rinsing of the tide tube.'],
    ['No hull default, ballast leak event or keel crack has occurred.', 'A ballast leak occurred in May.'],
    ['We regard the tide alarm as refuted; having regard to all logs, we consider the tide alarm refuted.', 'The tide alarm is CONFIRMED.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toContain('contradiction')
  })

  it.each([
    ['Six of the seven winches are manned.', 'One of the seven winches is not manned.'],
    ['No winch passed the load trial.', 'Six winches stand on the quay.'],
    ['The mooring deed was not signed by the bosun.', 'The mooring deed was signed.'],
    ['There was no case of rope burn.', 'Gloves protect against rope burn.'],
    ['No leak was found in the eastern lock.', 'A leak was found in the western lock.'],
    ['No complaints about the ferry kiosk were received.', 'Two complaints about the car deck were received.'],
    ['All fees of 2029 have been paid.', 'Three fees of 2030 remain unpaid.'],
    ['The rescue log was released by the harbour office.', 'The rescue chart was never released by the harbour office.'],
    ['The guest gave written consent.', 'No written consent is needed for a dive.'],
    ['The ferry has no flood insurance.', 'The ferry has fire insurance.'],
    ['The yard has not granted any loans to its divers.', 'The yard granted a loan to a chandler.'],
    ['All tugs carry a fire axe.', 'The chandlery has no fire axe.'],
    ['The insurer rejected the salvage claim.', 'The insurer accepted the premium in full.'],
    ['The upper sluice is locked.', 'The lower sluice is not locked.'],
    ['The pilot has no open fines.', 'The chandler has two open fines.'],
    ['The masters think that nothing would be gained. They are ready to sail.', 'Our pilot is ready to sail.'],
  ])('%j and %j both hold', (first, second) => {
    expect(verdicts(first, second)).not.toContain('contradiction')
  })
})

describe('short forms', () => {
  it.each([
    ['No legionella was detected in any tank.', 'Legionella, 2031: 2 detections'],
    ['Anchor level of 42%: EXCEEDED — ANCHOR CLAUSE TRIGGERED', 'The owner does not accept that the anchor clause was triggered.'],
    ['Were boat owners informed?  No', 'The boat owners were informed.'],
    ['Finding 4: Not accepted.', 'The harbour board accepted all five findings.'],
    ['Tarn ferry sale: the sale completed in June at EUR 38.5M', 'The sale of the ferry has not completed.'],
    [
      'All gauges have been calibrated.',
      'Gauge register\n\n| Gauge | Room | Calibrated |\n|---|---|---|\n| Tide pole | North | yes |\n| Draught meter | South | no |',
    ],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toContain('contradiction')
  })

  it.each([
    ['No legionella was detected in any tank.', 'Legionella, 2031: 2 samples'],
    ['The diver did not test the winch.', 'The winch was tested by the harbour team.'],
    ['14 of the 20 piers had no crane within reach.', 'The study counts all 214 cranes of the port.'],
    ['All gauges have been calibrated.', '| Gauge | Calibrated |\n|---|---|\n| Tide pole | yes |\n| Draught meter | yes |'],
  ])('%j beside %j', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })
})

describe('what happened later', () => {
  it.each([
    ['No winch drum was rejected.', 'Winch drum 7 was rejected on 6 March 2031.'],
    ['No lifeboat muster with guests took place in spring.', 'The lifeboat muster of 7 March was joined by 40 guests.'],
    ['There is no capstan rescue plan.', 'A capstan rescue plan is in force since 5 March 2031.'],
  ])('%j gives way to %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['supersession'])
  })
})
