const failed = new Set<HTMLLinkElement>()
addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.rel === 'stylesheet' && failed.add(target), true)

/** Asks again for the stylesheets that did not load: the build's loader asks for each once, and would show its part without. */
export const repairStyles = (): Promise<unknown> => Promise.all([...failed].map(replace))

const replace = (old: HTMLLinkElement) =>
  new Promise<void>((resolve, reject) => {
    const link = old.cloneNode() as HTMLLinkElement
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)))
    failed.delete(old)
    old.replaceWith(link)
  })
