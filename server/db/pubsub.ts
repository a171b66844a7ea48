import pg from 'pg'
import { CHANNEL } from './database.ts'
import type { Ping } from './circuit-breaker.ts'

/** Messages from one server to all on the same database, over LISTEN and NOTIFY. */
export type PubSub = {
  isLive: () => boolean
  subscribe: (topic: string, handler: (payload: string) => void) => void
  deliver: (topic: string, payload: string) => void
  onDisconnect: (handler: () => void) => void
  /** Pings on a connection that no other statement uses. */
  ping: Ping
  close: () => Promise<void>
}

const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000

/** `url` must be a direct connection: poolers in transaction mode do not support LISTEN. Reconnects
 *  by itself. */
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

  /** A client runs one query at a time, so heartbeat and circuit breaker share it. */
  function pingOn(connection: pg.Client): Promise<unknown> {
    const answer = (pings.get(connection) ?? connection.query('select 1')).finally(() =>
      pings.delete(connection),
    )
    pings.set(connection, answer)
    return answer
  }
  async function ping() {
    if (client) return hasAnswered(pingOn(client))
    return (await pingOnNewConnection(url)) || isClosed
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

export async function pingOnNewConnection(url: string): Promise<boolean> {
  const probe = newClient(url)
  probe.on('error', () => {})
  const hasReplied = await hasAnswered(probe.connect().then(() => probe.query('select 1')))
  void probe.end().catch(() => {})
  return hasReplied
}

/** PostgreSQL's own refusals count as answers, but not "starting or stopping" (57P0…) or a pooler's
 *  errors (08…). Time-outs and refused connections have no such code. */
const ANSWER = /^(?!08|57P0)[0-9A-Z]{5}$/

const hasAnswered = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: { code?: unknown }) => ANSWER.test(String(error.code)),
  )
