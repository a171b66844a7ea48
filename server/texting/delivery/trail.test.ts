import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import { startFakeTwilio, TOKEN } from '../../test/fake-twilio.ts'
import { createClients, startTestServer, TEST_SETTINGS } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'

type Line = {
  msg: string
  reqId?: string
  batch?: string
  text?: string
  sid?: string | null
  kind?: string
  res?: { statusCode: number }
}
const rawLines: string[] = []
const parseLines = () => rawLines.map((line) => JSON.parse(line) as Line)

/** A phone that cannot get texts. */
const LANDLINE = '+15125550177'
const twilio = await startFakeTwilio((call, phone) =>
  call === 'send' && phone === LANDLINE ? { status: 400, code: 21614 } : null,
)
const settings = {
  ...TEST_SETTINGS,
  publicUrl: 'https://tatami.example.org',
  ...twilio.settings(twilio.url),
}
const server = await startTestServer(settings)
const http = await buildApp({
  db: server.db,
  pubsub: server.pubsub,
  env: { ...settings, logLevel: 'info' },
  logTo: { write: (line) => void rawLines.push(line) },
})
const { clientFor } = createClients(http)
const stopWorker = startTestWorker(server, settings)
afterAll(async () => {
  await stopWorker()
  await twilio.close()
  await http.close()
})

const WORDING = 'Bring the blue mats on Friday.'
const phones = ['+15125550171', '+15125550172', LANDLINE]
const sensei = await server.createSensei()
for (const [index, phone_number] of phones.entries())
  await server.createStudent(sensei, { name: `Noor Haddad ${'ABC'[index]}`, phone_number })

/** Posts the provider's report to the webhook. Returns the id of that request. */
async function report(sid: string, status: string): Promise<string> {
  const path = '/api/sms/webhooks/status'
  const form = { MessageSid: sid, MessageStatus: status }
  const signature = createHmac('sha1', TOKEN)
    .update(`${settings.publicUrl}${path}MessageSid${sid}MessageStatus${status}`)
    .digest('base64')
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signature,
  }
  const response = await http.inject({
    method: 'POST',
    url: path,
    headers,
    payload: new URLSearchParams(form).toString(),
  })
  if (response.statusCode !== 200) throw new Error(response.payload)
  return String(response.headers['x-request-id'])
}

const sendResponse = await clientFor(sensei.token).post('/sms/send-bulk-message', {
  message_type: 'weather_cancel',
  custom_message: WORDING,
})
const requestId = String(sendResponse.headers['x-request-id'])
const listAcceptedLines = () => parseLines().filter(({ msg }) => msg === 'text accepted')
await vi.waitFor(
  () => {
    if (parseLines().filter(({ msg }) => /^text (accepted|failed)$/.test(msg)).length < 3)
      throw new Error(`Not all texts were sent: ${rawLines.join('')}`)
  },
  { timeout: 10_000 },
)
const { sid, text } = listAcceptedLines()[0]!
const callbackIds = [
  await report(sid!, 'sent'),
  await report(sid!, 'delivered'),
  await report(sid!, 'sent'),
]

test('logs the request, its batch, each text, the provider’s id and its status', () => {
  const { batch } = parseLines().find(({ msg }) => msg === 'texts queued')!
  expect(batch).toBe(sendResponse.body.batch_id)
  const requestLines = parseLines().filter(({ reqId }) => reqId === requestId)
  expect(requestLines.map(({ msg }) => msg)).toEqual(['texts queued', 'request completed'])
  expect(requestLines[0]).toMatchObject({
    kind: 'weather_cancel',
    texts: 3,
    waiting: 0,
    skipped: 0,
  })

  const batchLines = parseLines().filter((line) => line.batch === batch)
  expect(batchLines.map(({ msg }) => msg).toSorted()).toEqual([
    'text accepted',
    'text accepted',
    'text delivered',
    'text failed',
    'text sent',
    'texts queued',
  ])
  expect(new Set(listAcceptedLines().map((line) => line.sid))).toEqual(
    new Set(twilio.messages.map((message) => message.sid)),
  )

  const textLines = parseLines().filter((line) => line.text === text)
  expect(textLines.map((line) => [line.msg, line.sid, line.reqId])).toEqual([
    ['text accepted', sid, undefined],
    ['text sent', sid, callbackIds[0]],
    ['text delivered', sid, callbackIds[1]],
  ])
})

test('logs why a text failed, with the provider’s code', () => {
  expect(parseLines().filter(({ msg }) => msg === 'text failed')).toMatchObject([
    { batch: sendResponse.body.batch_id, sid: null, code: 21614 },
  ])
})

test('logs no phone, no name and no wording', () => {
  for (const secret of [
    ...phones,
    ...phones.map((phone) => phone.slice(-7)),
    'Noor',
    'Haddad',
    'blue mats',
    sensei.token,
  ])
    expect(rawLines.join('')).not.toContain(secret)
})

test('logs no texts of a request that is rolled back', async () => {
  const queuedCount = parseLines().filter(({ msg }) => msg === 'texts queued').length
  const refusal = server.db.inDojo(sensei.dojoId, async (tx) => {
    tx.record({ msg: 'texts queued', batch: 'none' })
    throw new Error('no')
  })
  await expect(refusal).rejects.toThrow('no')
  expect(parseLines().filter(({ msg }) => msg === 'texts queued')).toHaveLength(queuedCount)
})

const operationsGuide = readFileSync(
  new URL('../../../docs/OPERATIONS.md', import.meta.url),
  'utf8',
)
const jqFilter = /jq -cRn --arg id "\$ID" '([^']+)'/.exec(operationsGuide)?.[1] ?? 'none'

test.skipIf(spawnSync('jq', ['--version']).status !== 0)(
  'finds all records of a text by any of its ids with the documented command',
  () => {
    const log = ['Tatami is ready at http://127.0.0.1:3000\n', ...rawLines].join('')
    const runJq = (id: string) =>
      spawnSync('jq', ['-cRn', '--arg', 'id', id, jqFilter], {
        input: log,
        encoding: 'utf8',
      }).stdout.split('\n')
    const readMessages = (id: string) =>
      runJq(id).flatMap((line) => (line ? (JSON.parse(line) as Line).msg : []))
    const allMessages = readMessages(requestId)
    expect(allMessages.filter((msg) => msg === 'request completed')).toHaveLength(3)
    expect(allMessages).toEqual(
      expect.arrayContaining([
        'texts queued',
        'text accepted',
        'text sent',
        'text delivered',
        'text failed',
      ]),
    )
    for (const id of [sendResponse.body.batch_id, text, sid])
      expect(readMessages(id as string)).toEqual(allMessages)
  },
)
