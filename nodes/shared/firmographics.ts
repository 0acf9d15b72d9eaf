import { collection, parameter } from '../../src/n8n/parameters/declare';
import { textOf } from '../../src/n8n/parameters/values';

/** One field of the firmographics (interface: Company), with the values that are let through. */
function oneOf(displayName: string, name: string, placeholder: string) {
  return parameter(
    {
      displayName,
      name,
      type: 'string',
      default: '',
      placeholder,
      description:
        'Only companies with one of these, separated by semicolons, as the service writes them; whatever the case',
    },
    (value): string[] => {
      const given: unknown[] = Array.isArray(value) ? value : (textOf(value) ?? '').split(';');
      return given.map((one) => textOf(one)).filter((one) => one !== undefined);
    },
  );
}

/** Filters on what a company is like, for events that are about companies. */
export const firmographicsFilters = collection(
  {
    displayName: 'Filters',
    name: 'filters',
    placeholder: 'Add filter',
    default: {},
    description: 'Only companies that match all of them; a company without the field never matches',
  },
  {
    country: oneOf('Countries', 'country', 'e.g. Germany; Austria'),
    employee_range: oneOf('Employee Ranges', 'employeeRange', 'e.g. 51-200; 201-500'),
    industry: oneOf('Industries', 'industry', 'e.g. Software; Retail'),
  },
);
