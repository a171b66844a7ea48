/** A form's schema that takes everything: the server checks it, and its words stand beside the fields. */
export const UNCHECKED = { safeParse: (data: unknown) => ({ success: true as const, data }) }

/** Whether what the server refused stands beside a field, and need not be said once more. */
export const isSaidBesideField = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0
