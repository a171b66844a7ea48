/** Why a sheet cannot be read, in words for whoever chose it. */
export class SheetError extends Error {}
