import pg from 'pg'
import { CHANNEL } from './database.ts'
import type { Ping } from './circuit-breaker.ts'

/** Word from one server to all on the same database, over LISTEN and NOTIFY. */
export type PubSub = {
  /** Whether word from other servers is sure to arrive; caches are used only while it is. */
  isLive: () => boolean
  subscribe: (topic: string, hear: (word: string) => void) => void
  /** What this server told itself, without the way around. */
  deliver: (topic: string, word: string) => void
  onDisconnect: (hear: () => void) => void
  /** Whether the database answers anything, asked on a connection that no work waits for. */
  ping: Ping
  close: () => Promise<void>
}

const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000

/** `url` is a direct connection: a pooler in transaction mode does not carry LISTEN. */
export async function connectPubSub(url: string): Promise<PubSub> {
  const hearers = new Map<string, ((word: string) => void)[]>()
  const downs: (() => void)[] = []
  const asking = new WeakMap<pg.Client, Promise<unknown>>()
  let client: pg.Client | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function deliver(topic: string, word: string) {
    for (const one of hearers.get(topic) ?? []) one(word)
  }
  function hear(message: pg.Notification) {
    const [topic = '', word = ''] = (message.payload ?? '').split(' ', 2)
    deliver(topic, word)
  }
  function down(lost: pg.Client) {
    if (client === lost) {
      client = undefined
      for (const one of downs) one()
    }
    void lost.end().catch(() => {})
    if (!closed) timer = setTimeout(open, RETRY_MS)
  }
  async function open() {
    const fresh = newClient(url)
    let lost = false
    const lose = () => {
      if (!lost) down(fresh)
      lost = true
    }
    fresh.on('error', lose).on('end', lose).on('notification', hear)
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
      client = fresh
      beat(fresh, lose)
    } catch {
      lose()
    }
  }
  function beat(beating: pg.Client, lose: () => void) {
    timer = setTimeout(() => {
      if (client === beating) signOfLife(beating).then(() => beat(beating, lose), lose)
    }, HEARTBEAT_MS)
  }

  /** The heartbeat and those who doubt share one question, for a client takes one at a time. */
  function signOfLife(of: pg.Client): Promise<unknown> {
    const asked = (asking.get(of) ?? of.query('select 1')).finally(() => asking.delete(of))
    asking.set(of, asked)
    return asked
  }
  async function ping() {
    if (client) return answers(signOfLife(client))
    const knocking = newClient(url)
    knocking.on('error', () => {})
    const answered = await answers(knocking.connect())
    void knocking.end().catch(() => {})
    return answered || closed
  }

  await open()
  return {
    isLive: () => client !== undefined,
    subscribe: (topic, one) => void hearers.set(topic, [...(hearers.get(topic) ?? []), one]),
    deliver,
    onDisconnect: (one) => void downs.push(one),
    ping,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

const newClient = (url: string) =>
  new pg.Client({ connectionString: url, connectionTimeoutMillis: HEARTBEAT_MS, query_timeout: HEARTBEAT_MS })

/** A refusal is an answer, too, and carries a code; a time-out does not. */
const answers = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: { code?: unknown }) => error.code !== undefined,
  )
