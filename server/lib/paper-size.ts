/** True for the Americas and Hawaii, where people print on Letter paper. The rest of the world uses
 *  A4. */
export const printsOnLetter = (timeZone: string): boolean =>
  timeZone === 'Pacific/Honolulu' ||
  !/^(?:Africa|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//.test(timeZone)
