import autocannon, { type Request } from 'autocannon'
import { startBaseline, startTatami } from './servers.ts'

const TATAMI_PORT = Number(process.env.BENCH_PORT ?? 41_700),
  BASELINE_PORT = TATAMI_PORT + 1
const CONNECTIONS = 10,
  WARM_UP_SECONDS = 3,
  SECONDS = Number(process.env.BENCH_SECONDS ?? 10)

type Scenario = { path: string; token: string; request: () => Request }

async function measure(url: string, { path, token, request }: Scenario) {
  const options = {
    url: url + path,
    connections: CONNECTIONS,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    requests: [{ setupRequest: (asked: Request) => ({ ...asked, ...request() }) }],
  }
  await autocannon({ ...options, duration: WARM_UP_SECONDS })
  const { requests, latency, non2xx, errors } = await autocannon({ ...options, duration: SECONDS })
  return {
    'requests a second': Math.round(requests.average),
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    'not answered well': non2xx + errors,
  }
}

/** Measures one call of the real server and, in the same run, a bare Fastify that answers the same bytes. Says both and asserts nothing. */
export async function compare(title: string, prepare: (databaseUrl: string) => Promise<Scenario>) {
  const tatami = await startTatami(TATAMI_PORT)
  try {
    const scenario = await prepare(tatami.databaseUrl)
    const { method = 'GET', body } = scenario.request()
    const answer = await fetch(tatami.url + scenario.path, {
      method,
      headers: { authorization: `Bearer ${scenario.token}`, 'content-type': 'application/json' },
      ...(body && { body: String(body) }),
    })
    const bytes = await answer.text()
    const baseline = await startBaseline(BASELINE_PORT, bytes)
    try {
      const results = { Tatami: await measure(tatami.url, scenario), 'bare Fastify': await measure(baseline.url, scenario) }
      console.log(`\n${title}, ${CONNECTIONS} connections, ${bytes.length} bytes an answer`)
      console.table(results)
      console.log(
        `Tatami reaches ${((results.Tatami['requests a second'] / results['bare Fastify']['requests a second']) * 100).toFixed(1)} % of the baseline`,
      )
    } finally {
      await baseline.stop()
    }
  } finally {
    await tatami.stop()
  }
}
