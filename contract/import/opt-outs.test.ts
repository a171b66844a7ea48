import { expect, test } from 'vitest'
import { consentAnswer } from './opt-outs.ts'
import { readRow } from './rows.ts'
import { splitInputs } from '../test/split-inputs.ts'

const TODAY = '2026-11-22'

test.each(
  splitInputs(
    [
      'Yes; Yes, I agree; Yes I agree; I agree; I consent; Yes please; Agreed; OK; Sure; yes!',
      'YES - text me; Opted In; Checked; On; Yes to all; Accept; Y; TRUE; 1; -1; x; ✔',
      'I agree to receive text messages; Okay!; Ok to text; Y (but never before noon); Yeah',
      'Yep; Of course; Absolutely; Allowed; Granted; I have read and agree',
      'By checking this box I agree; I understand and accept; Email & text; Any; Both',
      'Text only; SMS; Please text; You may text me; I would like to receive texts',
      'consented 2019; signed 3/4/2020; 3/4/2020; 2020-03-04; Ja; Oui; Authorized; Confirmed',
      'Approved; Subscribed; true',
    ],
    '; ',
  ),
)('reads %j as a yes', (text) => {
  expect(consentAnswer(text, TODAY)).toBe('yes')
})

test.each(
  splitInputs(
    [
      'No; No, thanks; I do not agree; NO; N; FALSE; 0; off; None; never; Nope; Declined',
      'Refused; Decline; Opt out; Opted-Out; Unsubscribed; Revoked; Not yet; I do NOT consent',
      'No thanks, email only; Nein; Non; Please do not; Do not text; Non-consenting',
      'Not interested; Yes, but no texts; Yes - email only; unchecked; Email only',
      'no - email only; I don’t want texts; calls only; Withdrawn; Denied; STOP',
    ],
    '; ',
  ),
)('reads %j as a no', (text) => {
  expect(consentAnswer(text, TODAY)).toBe('no')
})

test.each(['maybe', '???', 'pending', 'ask mom', 'noon is fine', 'Nora', 'Please', 'later'])(
  'reads %j as neither a yes nor a no',
  (text) => {
    expect(consentAnswer(text, TODAY)).toBeNull()
    const columns = ['name', 'phone_number', 'text_consent'] as const
    const { problems, optOuts } = readRow(columns, ['Ken Adams', '512-555-0142', text], {
      order: 'month-first',
      today: TODAY,
    })
    const isBlank = text === '???'
    expect([problems.map(({ field }) => field), optOuts]).toEqual([
      isBlank ? [] : ['text_consent'],
      [],
    ])
  },
)
