/** The responses that the document fetches before its scripts are there (head.html). They are dropped after eight seconds. */
type PrefetchedReplies = {
  token: string
  load: (path: string) => void
  responses: Map<string, Promise<Response>>
}
const page = globalThis as { prefetched?: PrefetchedReplies }

/** The part of a profile that is needed before the contract is loaded. */
export type EarlyProfile = {
  is_instructor?: boolean
  is_guardian?: boolean
  time_zone?: string | null
}

/** Fetches the paths that `pathsFor` returns, as soon as the profile says who is signed in. */
export async function prefetch(pathsFor: (profile: EarlyProfile) => string[]) {
  const profile = await page.prefetched?.responses.get('/profile')
  if (profile?.ok)
    for (const path of pathsFor((await profile.clone().json()) as EarlyProfile))
      page.prefetched?.load(path)
}

/** The prefetched response for a path: handed out once, and only to whoever holds the token it was fetched with. */
export function takePrefetched(path: string, token: string | null): Promise<Response> | undefined {
  const response = page.prefetched?.responses.get(path)
  page.prefetched?.responses.delete(path)
  return page.prefetched?.token === token ? response : undefined
}

/** Whether the document has asked for a path, and the server has answered well. */
export const isPrefetched = async (path: string): Promise<boolean> => {
  const response = await page.prefetched?.responses.get(path)?.catch(() => undefined)
  return response?.ok === true
}
