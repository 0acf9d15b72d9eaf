/** What can be read of companies in bulk, as the user chooses it (interface: Companies). */
export const SECTIONS = [
  {
    name: 'Firmographics',
    value: 'firmographics',
    description: 'Industry, size, country and age',
  },
  {
    name: 'Partnerships',
    value: 'partnerships',
    description: 'Partners of the company; each one returned may cost a credit too',
  },
  {
    name: 'Technologies',
    value: 'technologies',
    description: 'Technologies detected on its site',
  },
] as const;
