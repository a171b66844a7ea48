import { expect, test } from 'vitest'
import { connect } from '../../db/database.ts'
import { chooseProvider } from './choose-provider.ts'

const db = connect('postgres://nobody@127.0.0.1:9/nothing')
const hasCallbacks = (publicUrl: string) =>
  chooseProvider(
    { publicUrl, smsPerSecond: 1, twilioAccountSid: `AC${'0'.repeat(32)}`, twilioAuthToken: 'token', twilioFrom: '+15005550006' },
    db,
  ).hasCallbacks

test.each(['https://dojo.com', 'https://dojo.com:8443', 'https://a.dojo.co.jp/', 'https://8.8.8.8'])(
  'asks Twilio to post statuses to %s',
  (url) => {
    expect(hasCallbacks(url)).toBe(true)
  },
)

test.each([
  'http://dojo.com',
  'https://localhost',
  'https://dojo',
  'https://dojo.local',
  'https://dojo.local.',
  'https://dojo.lan',
  'https://dojo.home.arpa',
  'https://dojo.internal',
  'https://127.0.0.1',
  'https://10.1.2.3',
  'https://172.16.0.1',
  'https://192.168.1.1',
  'https://100.64.0.1',
  'https://[::1]',
])('polls statuses because nobody on the internet can call %s', (url) => {
  expect(hasCallbacks(url)).toBe(false)
})
