import type { Right } from '@tatami/contract/rights'

/** Responses that the document requests before its scripts have loaded (head.html). */
type PrefetchedReplies = {
  token: string
  load: (path: string) => void
  responses: Map<string, Promise<Response>>
}
const page = globalThis as { prefetched?: PrefetchedReplies }

/** The part of a profile that is needed before the contract has loaded. */
export type EarlyProfile = {
  staff?: { rights: Right[] } | null
  is_guardian?: boolean
  time_zone?: string | null
}

export async function prefetch(listPaths: (profile: EarlyProfile) => string[]) {
  const profile = await page.prefetched?.responses.get('/profile')
  if (profile?.ok)
    for (const path of listPaths((await profile.clone().json()) as EarlyProfile))
      page.prefetched?.load(path)
}

/** Returns a response only once, and only to the session that requested it. */
export function takePrefetched(path: string, token: string | null): Promise<Response> | undefined {
  const response = page.prefetched?.responses.get(path)
  page.prefetched?.responses.delete(path)
  return page.prefetched?.token === token ? response : undefined
}

export const isPrefetched = async (path: string): Promise<boolean> => {
  const response = await page.prefetched?.responses.get(path)?.catch(() => undefined)
  return response?.ok === true
}
