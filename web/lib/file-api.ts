import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { ApiError, type Args, NO_RESPONSE, type RequestParts, buildUrl } from './api.ts'
import { session } from './session.ts'

const FILE_TIMEOUT_MS = 30_000

export type ReceivedFile = { name: string; content: Blob }

/** Downloads a file. Throws an ApiError, whose status is 0 if the download is interrupted. */
export async function callForFile<const CalledEndpoint extends Endpoint>(
  endpoint: CalledEndpoint,
  input?: Args<CalledEndpoint>[0],
): Promise<ReceivedFile> {
  const parts = (input ?? {}) as RequestParts
  const token = session.token()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), FILE_TIMEOUT_MS)
  try {
    const response = await fetch(`/api${buildUrl(endpoint, parts)}`, {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
      signal: timeout.signal,
    })
    // The timeout is only for the start of the response. A large file may take longer to download.
    clearTimeout(timer)
    if (response.status === 401 && token && token === session.token()) session.end()
    if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null))
    const [, name = 'tatami'] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    return { name, content: await response.blob() }
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(NO_RESPONSE)
  } finally {
    clearTimeout(timer)
  }
}
