import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'tatami_http_request_duration_seconds',
  HELP = 'Requests by route and class of status, and how long they took.'
/** Seconds. A polled call takes a fraction of the first; the web gives up after 8 s. */
const BOUNDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
type Series = {
  labels: Record<'method' | 'route' | 'status', string>
  counts: number[]
  sum: number
}

/**
 * Counts every request that `http` answers, by its route's template, never by the path; what has no route counts as one. To be called
 * before `http` is ready. Not the library's histogram: that looks its labels up for each request, which takes a microsecond, and a polled
 * call takes forty. Here each route and class of status has its counts in an array. Answers what a registry asks of a metric.
 */
export function countRequests(http: FastifyInstance) {
  const all: Series[] = []
  const ofRoutes = new WeakMap<object, Series[]>()

  function seriesOf(method: string, route: string, statusClass: number): Series {
    const status = `${statusClass}xx`
    // Fastify has more than one route for what has none.
    const known = all.find(
      ({ labels }) =>
        labels.method === method && labels.route === route && labels.status === status,
    )
    if (known) return known
    const series = {
      labels: { method, route, status },
      counts: Array<number>(BOUNDS.length + 1).fill(0),
      sum: 0,
    }
    all.push(series)
    return series
  }
  function count(
    { routeOptions: { config, method, url }, is404 }: FastifyRequest,
    { statusCode, elapsedTime }: FastifyReply,
  ) {
    let ofRoute = ofRoutes.get(config)
    if (!ofRoute) ofRoutes.set(config, (ofRoute = []))
    const statusClass = Math.trunc(statusCode / 100)
    const series = (ofRoute[statusClass] ??=
      is404 || url === undefined
        ? seriesOf('any', 'none', statusClass)
        : seriesOf(String(method), url, statusClass))
    const seconds = elapsedTime / 1000
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket += 1
    series.counts[bucket]! += 1
    series.sum += seconds
  }

  http.addHook('onResponse', (request, reply, done) => {
    count(request, reply)
    done()
  })
  return {
    name: NAME,
    get: async () => ({
      name: NAME,
      help: HELP,
      type: 'histogram',
      aggregator: 'sum',
      values: all.flatMap(valuesOf),
    }),
  }
}

/** The format has how many were at most as long as each bound. */
function valuesOf({ labels, counts, sum }: Series) {
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    return {
      metricName: `${NAME}_bucket`,
      labels: { ...labels, le: BOUNDS[index] ?? '+Inf' },
      value: total,
    }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: total },
  ]
}
