import pg from 'pg'
import { CHANNEL } from './database.ts'
import type { Ping } from './circuit-breaker.ts'

/** Messages from one server to all on the same database, over LISTEN and NOTIFY. */
export type PubSub = {
  /** Whether messages from other servers arrive; caches are used only while they do. */
  isLive: () => boolean
  subscribe: (topic: string, handler: (payload: string) => void) => void
  /** Delivers a message of this server's own at once, without the way through the database. */
  deliver: (topic: string, payload: string) => void
  onDisconnect: (handler: () => void) => void
  /** Asks whether the database answers anything, on a connection that no other statement uses. */
  ping: Ping
  close: () => Promise<void>
}

const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000

/** Listens at `url`, a direct connection: a pooler in transaction mode does not carry LISTEN. It reconnects by itself. */
export async function connectPubSub(url: string): Promise<PubSub> {
  const handlers = new Map<string, ((payload: string) => void)[]>()
  const disconnectHandlers: (() => void)[] = []
  const pings = new WeakMap<pg.Client, Promise<unknown>>()
  let client: pg.Client | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function deliver(topic: string, payload: string) {
    for (const handler of handlers.get(topic) ?? []) handler(payload)
  }
  function receive(message: pg.Notification) {
    const [topic = '', payload = ''] = (message.payload ?? '').split(' ', 2)
    deliver(topic, payload)
  }
  function disconnect(lostClient: pg.Client) {
    if (client === lostClient) {
      client = undefined
      for (const handler of disconnectHandlers) handler()
    }
    void lostClient.end().catch(() => {})
    if (!isClosed) timer = setTimeout(open, RETRY_MS)
  }
  async function open() {
    const opening = newClient(url)
    let isLost = false
    const lose = () => {
      if (!isLost) disconnect(opening)
      isLost = true
    }
    opening.on('error', lose).on('end', lose).on('notification', receive)
    try {
      await opening.connect()
      await opening.query(`listen ${CHANNEL}`)
      client = opening
      heartbeat(opening, lose)
    } catch {
      lose()
    }
  }
  function heartbeat(live: pg.Client, lose: () => void) {
    timer = setTimeout(() => {
      if (client === live) pingOn(live).then(() => heartbeat(live, lose), lose)
    }, HEARTBEAT_MS)
  }

  /** The heartbeat and the circuit breaker share one query, since a client runs one at a time. */
  function pingOn(connection: pg.Client): Promise<unknown> {
    const answer = (pings.get(connection) ?? connection.query('select 1')).finally(() =>
      pings.delete(connection),
    )
    pings.set(connection, answer)
    return answer
  }
  async function ping() {
    if (client) return hasAnswered(pingOn(client))
    return (await pingAnew(url)) || isClosed
  }

  await open()
  return {
    isLive: () => client !== undefined,
    subscribe: (topic, handler) =>
      void handlers.set(topic, [...(handlers.get(topic) ?? []), handler]),
    deliver,
    onDisconnect: (handler) => void disconnectHandlers.push(handler),
    ping,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

const newClient = (url: string) =>
  new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: HEARTBEAT_MS,
    query_timeout: HEARTBEAT_MS,
  })

/** Asks over a connection made for it. */
export async function pingAnew(url: string): Promise<boolean> {
  const probe = newClient(url)
  probe.on('error', () => {})
  const hasReplied = await hasAnswered(probe.connect().then(() => probe.query('select 1')))
  void probe.end().catch(() => {})
  return hasReplied
}

/** PostgreSQL's own refusals count as an answer (too many connections, say), but not that it is starting or stopping (57P0…), nor what a
 *  pooler says of it (08…). A time-out and a refused connection have no code of PostgreSQL's. */
const ANSWER = /^(?!08|57P0)[0-9A-Z]{5}$/

const hasAnswered = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: { code?: unknown }) => ANSWER.test(String(error.code)),
  )
