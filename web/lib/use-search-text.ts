import { startTransition, useEffect, useRef, useState } from 'react'
import { useAddress } from './use-address.ts'

/** What is typed into the search of a list. It stands in the address, so that Back and a reload bring it back. */
export function useSearchText(): [string, (typed: string) => void] {
  const [query, change] = useAddress()
  const inAddress = query.get('search') ?? ''
  const [typed, setTyped] = useState(inAddress)
  const written = useRef(inAddress)
  // The address was changed by a link or by Back. While one types, what is drawn may lag behind it.
  useEffect(() => {
    const isCurrent = inAddress === (new URLSearchParams(location.search).get('search') ?? '')
    if (!isCurrent || inAddress === written.current) return
    written.current = inAddress
    setTyped(inAddress)
  }, [inAddress])
  const type = (next: string) => {
    setTyped(next)
    written.current = next
    startTransition(() => change({ search: next }))
  }
  return [typed, type]
}
