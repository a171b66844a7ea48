export type SetupState = 'checking' | 'ready' | 'disconnected' | 'service_error' | { other: string }

/** What the set-up page shows of a status (specification, section 4). */
export function setupState({ status, connected }: { status: string; connected: boolean }): SetupState {
  if (connected || status === 'ready') return 'ready'
  if (status === 'service_unavailable' || status === 'service_unreachable' || status === 'service_error') return 'service_error'
  return status === 'checking' || status === 'disconnected' ? status : { other: status }
}
