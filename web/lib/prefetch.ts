import type { Right } from '@tatami/contract/rights'

/** Responses that the page requests before its scripts have loaded (head.html). */
type PrefetchedReplies = {
  token: string
  load: (path: string) => void
  responses: Map<string, Promise<Response>>
}
const globals = globalThis as { prefetched?: PrefetchedReplies }

/** The part of a profile that is needed before the contract has loaded. */
export type EarlyProfile = {
  staff?: { rights: Right[] } | null
  is_guardian?: boolean
  time_zone?: string | null
}

export async function prefetch(listPaths: (profile: EarlyProfile) => string[]) {
  const response = await globals.prefetched?.responses.get('/profile')
  if (!response?.ok) return
  const profile = (await response.clone().json()) as EarlyProfile
  for (const path of listPaths(profile)) globals.prefetched?.load(path)
}

/** Returns a response only once, and only to the session that requested it. */
export function takePrefetched(path: string, token: string | null): Promise<Response> | undefined {
  const response = globals.prefetched?.responses.get(path)
  globals.prefetched?.responses.delete(path)
  return globals.prefetched?.token === token ? response : undefined
}

export const isPrefetched = async (path: string): Promise<boolean> => {
  const response = await globals.prefetched?.responses.get(path)?.catch(() => undefined)
  return response?.ok === true
}
