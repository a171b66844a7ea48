import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'tatami_http_request_duration_seconds'
const HELP = 'Requests by route and class of status, and how long they took.'
/** The web app gives up after 8 s. */
const BUCKET_LIMIT_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
type Series = {
  labels: Record<'method' | 'route' | 'status', string>
  counts: number[]
  sum: number
}

/** Counts requests by route and class of status, such as 2xx. Call this before `http` is ready. Of
 *  the 40 microseconds that a polled call takes, the library's histogram would use 1. */
export function countRequests(http: FastifyInstance) {
  const allSeries: Series[] = []
  const seriesByRoute = new WeakMap<object, Series[]>()

  function findOrAddSeries(method: string, route: string, statusClass: number): Series {
    const status = `${statusClass}xx`
    // Fastify has several routes for unmatched requests.
    const existingSeries = allSeries.find(
      ({ labels }) =>
        labels.method === method && labels.route === route && labels.status === status,
    )
    if (existingSeries) return existingSeries
    const series = {
      labels: { method, route, status },
      counts: Array<number>(BUCKET_LIMIT_SECONDS.length + 1).fill(0),
      sum: 0,
    }
    allSeries.push(series)
    return series
  }
  function countRequest(
    { routeOptions: { config, method, url }, is404 }: FastifyRequest,
    { statusCode, elapsedTime }: FastifyReply,
  ) {
    const routeSeries = seriesByRoute.get(config) ?? []
    seriesByRoute.set(config, routeSeries)
    const statusClass = Math.trunc(statusCode / 100)
    const series = (routeSeries[statusClass] ??=
      is404 || url === undefined
        ? findOrAddSeries('any', 'none', statusClass)
        : findOrAddSeries(String(method), url, statusClass))
    const seconds = elapsedTime / 1000
    const bucket = BUCKET_LIMIT_SECONDS.findIndex((limit) => seconds <= limit)
    const index = bucket < 0 ? BUCKET_LIMIT_SECONDS.length : bucket
    series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += seconds
  }

  http.addHook('onResponse', (request, reply, next) => {
    countRequest(request, reply)
    next()
  })
  return {
    name: NAME,
    get: async () => ({
      name: NAME,
      help: HELP,
      type: 'histogram',
      aggregator: 'sum',
      values: allSeries.flatMap(createValues),
    }),
  }
}

function createValues({ labels, counts, sum }: Series) {
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    return {
      metricName: `${NAME}_bucket`,
      labels: { ...labels, le: BUCKET_LIMIT_SECONDS[index] ?? '+Inf' },
      value: total,
    }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: total },
  ]
}
