import type { DojoClass } from '@tatami/contract/classes'
import { useClassRemoval } from './use-class-removal.ts'

/** The card's own deletion asks and complains through the browser (specification, section 8). */
export function useCardDeletion({ id }: DojoClass) {
  const remove = useClassRemoval({ onError: () => window.alert('Failed to delete class. Please try again.') })
  const ask = () => {
    if (window.confirm('Are you sure you want to delete this class?')) remove.mutate({ params: { id } })
  }
  return { ask, isPending: remove.isPending }
}
