/** Calls under way, so many at once and no more. */
export function lane(most: number, onError: (error: unknown) => void) {
  const underWay = new Set<Promise<void>>()
  return {
    room: () => most - underWay.size,
    enter: (call: Promise<void>) => {
      const going = call.catch(onError).finally(() => underWay.delete(going))
      underWay.add(going)
    },
    empty: () => Promise.all(underWay),
  }
}
