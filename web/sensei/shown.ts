/** What the super admin sees of a dojo's name (specification, section 2). */
export const dojoShown = (name: string | null) =>
  name?.trim() ? { name, branding: 'Custom Branding' } : { name: 'Not Set', branding: 'Default Branding' }
