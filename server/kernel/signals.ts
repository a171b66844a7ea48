import pg from 'pg'
import { CHANNEL } from './database.ts'

/** Word from one server to all on the same database, over LISTEN and NOTIFY. */
export type Signals = {
  /** Whether word from other servers is sure to arrive; caches are used only while it is. */
  live: () => boolean
  on: (topic: string, hear: (word: string) => void) => void
  /** What this server told itself, without the way around. */
  deliver: (topic: string, word: string) => void
  onDown: (hear: () => void) => void
  close: () => Promise<void>
}

const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000

/** `url` is a direct connection: a pooler in transaction mode does not carry LISTEN. */
export async function listen(url: string): Promise<Signals> {
  const hearers = new Map<string, ((word: string) => void)[]>()
  const downs: (() => void)[] = []
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
    const fresh = new pg.Client({ connectionString: url, connectionTimeoutMillis: HEARTBEAT_MS, query_timeout: HEARTBEAT_MS })
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
      if (client === beating) beating.query('select 1').then(() => beat(beating, lose), lose)
    }, HEARTBEAT_MS)
  }

  await open()
  return {
    live: () => client !== undefined,
    on: (topic, one) => void hearers.set(topic, [...(hearers.get(topic) ?? []), one]),
    deliver,
    onDown: (one) => void downs.push(one),
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
