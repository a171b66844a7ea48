/** What the document asks for before its scripts are there (head.html). After eight seconds it is forgotten. */
type Ahead = { token: string; ask: (path: string) => void; answers: Map<string, Promise<Response>> }
const page = globalThis as { ahead?: Ahead }

/** As much of a profile as is looked at before the contract is there. */
export type EarlyProfile = { is_instructor?: boolean; time_zone?: string | null }

/** Asks for whatever `pathsFor` says, once it is known who asks. */
export async function askAhead(pathsFor: (profile: EarlyProfile) => string[]) {
  const profile = await page.ahead?.answers.get('/profile')
  if (profile?.ok) for (const path of pathsFor((await profile.clone().json()) as EarlyProfile)) page.ahead?.ask(path)
}

/** The answer to what was asked ahead: taken once, and only by whoever asked. */
export function takeAnswer(path: string, token: string | null): Promise<Response> | undefined {
  const answer = page.ahead?.answers.get(path)
  page.ahead?.answers.delete(path)
  return page.ahead?.token === token ? answer : undefined
}
