import { expect, test } from 'vitest';
import { notPermitted, permissions } from '../../src/console/permissions.ts';
import { operatorRoles } from '../../src/gateway/config/console-config.ts';

const acts = Object.keys(permissions) as (keyof typeof permissions)[];

test.each(acts)('%s needs exactly one role, and says which one is missing', (act) => {
  const others = operatorRoles.filter((role) => role !== permissions[act]);
  expect(notPermitted('ann', [permissions[act]], act)).toBeUndefined();
  expect(notPermitted('ann', others, act)).toContain(`needs the role ${permissions[act]}`);
  expect(notPermitted('ann', [], act)).toContain('ann may not');
});
