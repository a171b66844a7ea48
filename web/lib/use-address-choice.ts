import { startTransition, useOptimistic } from 'react'
import { useAddress } from './use-address.ts'

/** One of `choices` in the address, "?filter=trial"; the first one where another value stands there. */
export function useAddressChoice<V extends string>(name: string, choices: readonly [V, ...V[]]) {
  const [query, change] = useAddress()
  const inAddress = choices.find((choice) => choice === query.get(name)) ?? choices[0]
  // The address follows a moment later; the button shows at once what was chosen.
  const [chosen, show] = useOptimistic(inAddress)
  const choose = (choice: V) =>
    startTransition(() => {
      show(choice)
      change({ [name]: choice })
    })
  return [chosen, choose] as const
}
