/** True in the Americas and Hawaii, which print on Letter. Others print on A4. */
export const printsOnLetter = (timeZone: string): boolean =>
  timeZone === 'Pacific/Honolulu' ||
  !/^(?:Africa|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//.test(timeZone)
