import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What stands after '#' in the link that was opened. It is taken out of the address bar and the history at once. */
export function useLinkSecret(): string {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [secret, setSecret] = useState('')
  const inLink = hash.slice(1)
  if (inLink && inLink !== secret) setSecret(inLink)
  useEffect(() => {
    if (inLink) void navigate(pathname, { replace: true })
  }, [inLink, navigate, pathname])
  return secret
}
