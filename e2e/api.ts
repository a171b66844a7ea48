import type { Endpoint, Reply, Input } from '@tatami/contract/lib/endpoint'
import { profileApi } from '@tatami/contract/profile/profile'
import type { SignedInUser } from '@tatami/contract/accounts/users'

/** A person who is logged in. */
export type Person = { token: string; user: SignedInUser; email: string; password: string }

export const SUPER_ADMIN_EMAIL = 'admin@tatami.test'

/** Calls an endpoint of the server under test. A failed call throws the server's response. */
export async function call<const CalledEndpoint extends Endpoint>(
  endpoint: CalledEndpoint,
  input: Input<CalledEndpoint>,
  token?: string,
): Promise<Reply<CalledEndpoint>> {
  const {
    params = {},
    query,
    body,
  } = input as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const response = await fetch(`${process.env.E2E_URL}/api${path}${search}`, {
    method: endpoint.method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(endpoint.idempotent && { 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw new Error(
      `${endpoint.method} ${path} returned ${response.status}: ${await response.text()}`,
    )
  return endpoint.reply.parse(await response.json()) as Reply<CalledEndpoint>
}

export async function createSession(email: string, password: string): Promise<Person> {
  return { ...(await call(profileApi.login, { body: { email, password } })), email, password }
}
