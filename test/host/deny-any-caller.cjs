/*
 * Rejects workflows that "any" workflow can call, as n8n 3 does. The tests of the host suite therefore
 * show that the workflows which the package starts also run in n8n 3.
 */
const { changeMethods } = require('./change-methods.cjs');

changeMethods({
  'subworkflow-policy-checker.js': {
    type: 'SubworkflowPolicyChecker',
    method: 'findPolicy',
    instead: (findPolicy) => (workflow) => {
      const policy = findPolicy(workflow);
      return policy === 'any' ? 'none' : policy;
    },
  },
});
