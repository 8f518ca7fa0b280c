import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import { RequestFault } from '../../src/mapping/request-fault.ts';

test('the first fault of a request is the one that is answered', () => {
  const request = new RequestFault();
  expect(request.fault).toBeUndefined();
  const first = deny('mass_cancel_not_offered');
  request.deny(first);
  request.refuse('bridge.unsupported', 'Side(54)=9');
  expect(request.fault).toBe(first);
});
