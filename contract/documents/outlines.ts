import type { DocumentKind } from './document-form.ts'

/** Empty outlines. They promise no legal effect: each line is a question for the school’s lawyer,
 *  to be replaced with the school’s own text. */
export const OUTLINES: Record<DocumentKind, string> = {
  waiver: `# Who this is for
Ask your lawyer: who must sign, and from which age?

# Risks of training
Ask your lawyer: which risks must you name?

# What the person agrees to
Ask your lawyer: which words are valid in your state, also for a child?

# Emergencies
Ask your lawyer: who may decide about treatment?

# How long this is valid
Ask your lawyer: how often must it be signed again?`,
  agreement: `# What the member gets
Ask your lawyer: which classes, from when and for how long?

# What the member pays
Ask your lawyer: what must you say about price, changes and late payments?

# How it ends
Ask your lawyer: which notice period and which right to cancel does your state require?`,
  policy: `# What we expect
Write your rules in plain words.

# What happens otherwise
Ask your lawyer: what may you do if somebody breaks a rule?`,
  medical: `# Why we ask
Say who reads the answers and what they are for.

# What we do in an emergency
Ask your lawyer: what may you do, and whom must you call?`,
  photo: `# What we photograph
Ask your lawyer: which uses must you name, and for how long?

# Changing your mind
Ask your lawyer: how can somebody withdraw, and what do you then remove?`,
  other: `# What this is about
Write your text in plain words. Ask your lawyer if you are not sure.`,
}
