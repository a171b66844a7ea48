/** What the document asks for before its scripts are there (head.html). After eight seconds it is forgotten. */
type Ahead = { token: string; ask: (path: string) => void; answers: Map<string, Promise<Response>> }
const page = globalThis as { ahead?: Ahead }

/** Asks for `paths` too, once it is known who asks and `isFor` them. */
export async function askAhead(paths: () => string[], isFor: (profile: { is_instructor?: boolean }) => boolean) {
  const profile = await page.ahead?.answers.get('/profile')
  if (profile?.ok && isFor((await profile.clone().json()) as object)) for (const path of paths()) page.ahead?.ask(path)
}

/** The answer to what was asked ahead: taken once, and only by whoever asked. */
export function takeAnswer(path: string, token: string | null): Promise<Response> | undefined {
  const answer = page.ahead?.answers.get(path)
  page.ahead?.answers.delete(path)
  return page.ahead?.token === token ? answer : undefined
}
