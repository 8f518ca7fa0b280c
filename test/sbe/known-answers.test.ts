/** The worked examples of SBE 1.0 and one example of each FIXP session message, byte by byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import type { JsonObject } from '../../src/sbe/json.ts';
import { className, fileName } from '../../src/sbe/naming.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { readAll, writeAll } from './generated-json.ts';
import { BusinessMessageReject } from './standard/business-message-reject.ts';
import { BusinessRejectReasonEnum, SideEnum } from './standard/codes.ts';
import { ExecutionReport } from './standard/execution-report.ts';
import { NewOrderSingle } from './standard/new-order-single.ts';

const root = join(import.meta.dirname, '../..');
const vectors = join(root, 'test/vectors/sbe');
const fixp = readSchema(readFileSync(join(root, 'dictionaries/fixp.xml'), 'utf8'));
const standard = readSchema(readFileSync(join(vectors, 'standard-examples.xml'), 'utf8'));

interface Example {
  readonly template: number;
  readonly name: string;
  readonly hex: string;
  readonly fields: JsonObject;
}

const examples = readFileSync(join(vectors, 'fixp-examples.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line): Example => JSON.parse(line));
/** The name of template 13 is misspelt in the standard's own schema. */
const ourName = (name: string) => (name === 'RestransmitReject' ? 'RetransmitReject' : name);

describe('FIXP, version 0', () => {
  test('there is an example of each of the 19 messages', () => {
    expect(examples.map(({ template }) => template)).toEqual(fixp.messages.map(({ id }) => id));
  });

  test.each(examples)('$name is read and written by both codecs', async (example) => {
    const { hex, fields, template } = example;
    const bytes = Buffer.from(hex, 'hex');
    const name = ourName(example.name);
    expect(decodeMessage(fixp, bytes)).toEqual({
      message: name,
      templateId: template,
      schemaId: 2748,
      version: 0,
      fields,
      length: bytes.length,
      outOfRange: [],
    });
    const written = encodeMessage(fixp, { message: name, version: 0, fields });
    expect(written.toString('hex')).toBe(hex);

    const message = fixp.messages.find(({ id }) => id === template);
    if (message === undefined) throw new Error(`no template ${template}`);
    const module = await import(join(root, `src/fixp/generated/${fileName(name)}.ts`));
    const object = new module[className(name)]();
    expect(object.wrap(bytes)).toBeUndefined();
    expect(readAll(object, message, 0)).toEqual(fields);
    writeAll(object.encode(Buffer.alloc(200), 6, 0), message, fields, 0);
    expect(Buffer.from(object.bytes).toString('hex')).toBe(hex);
  });
});

describe('the worked examples of SBE 1.0', () => {
  const lines = readFileSync(join(vectors, 'standard-examples.hex'), 'utf8').trim().split('\n');
  const frames = lines.map((line) => Buffer.from(line, 'hex'));
  const framing = 6;
  const expected = [
    {
      message: 'NewOrderSingle',
      fields: {
        ClOrdId: 'ORD00001',
        Account: 'ACCT01',
        Symbol: 'GEM4',
        Side: 'Buy',
        TransactTime: '1525098721248000000',
        OrderQty: { mantissa: 7, exponent: 0 },
        OrdType: 'Limit',
        Price: { mantissa: 99610, exponent: -3 },
        StopPx: { mantissa: null, exponent: -3 },
      },
    },
    {
      message: 'ExecutionReport',
      fields: {
        OrderID: 'O0000001',
        ExecID: 'EXEC0000',
        ExecType: 'Trade',
        OrdStatus: 'PartialFilled',
        Symbol: 'GEM4',
        MaturityMonthYear: { year: 2014, month: 6, day: 255, week: 255 },
        Side: 'Buy',
        LeavesQty: { mantissa: 1, exponent: 0 },
        CumQty: { mantissa: 6, exponent: 0 },
        TradeDate: 15_989,
        FillsGrp: [
          { FillPx: { mantissa: 99_610, exponent: -3 }, FillQty: { mantissa: 2, exponent: 0 } },
          { FillPx: { mantissa: 99_620, exponent: -3 }, FillQty: { mantissa: 4, exponent: 0 } },
        ],
      },
    },
    {
      message: 'BusinessMessageReject',
      fields: {
        BusinesRejectRefId: 'ORD00001',
        BusinessRejectReason: 'NotAuthorized',
        Text: Buffer.from('Not authorized to trade that instrument').toString('hex'),
      },
    },
  ];

  test.each(expected.map((one, index) => ({ ...one, frame: frames[index] })))(
    '$message by the generic codec',
    ({ message, fields, frame = Buffer.alloc(0) }) => {
      expect(decodeMessage(standard, frame, framing)).toMatchObject({ message, fields });
      const written = encodeMessage(standard, { message, fields });
      expect(written.toString('hex')).toBe(frame.subarray(framing).toString('hex'));
    },
  );

  test('NewOrderSingle by generated code', () => {
    const [frame = Buffer.alloc(0)] = frames;
    const order = new NewOrderSingle();
    expect(order.wrap(frame, framing)).toBeUndefined();
    expect(order.clOrdId).toBe('ORD00001');
    expect(Buffer.from(order.accountBytes)).toEqual(Buffer.from('ACCT01\0\0'));
    expect(order.side).toBe(SideEnum.Buy);
    expect(order.priceMantissa).toBe(99_610);
    expect(order.stopPxMantissa).toBeUndefined();
    const written = new NewOrderSingle()
      .encode(Buffer.alloc(100), framing)
      .setClOrdId('ORD00001')
      .setAccount('ACCT01')
      .setSymbol('GEM4')
      .setSide(SideEnum.Buy)
      .setTransactTimeBig(1_525_098_721_248_000_000n)
      .setOrderQtyMantissa(7)
      .setOrdType(0x32)
      .setPriceMantissa(99_610).bytes;
    expect(Buffer.from(written).toString('hex')).toBe(frame.subarray(framing).toString('hex'));
  });

  test('the fills of an ExecutionReport by generated code, twice over', () => {
    const report = new ExecutionReport();
    expect(report.wrap(frames[1] ?? Buffer.alloc(0), framing)).toBeUndefined();
    for (let round = 0; round < 2; round += 1) {
      const read: (number | undefined)[][] = [];
      const fills = report.fillsGrp;
      while (fills.next()) read.push([fills.fillPxMantissa, fills.fillQtyMantissa]);
      expect(read).toEqual([
        [99_610, 2],
        [99_620, 4],
      ]);
    }
  });

  test('the text of a BusinessMessageReject by generated code', () => {
    const reject = new BusinessMessageReject();
    expect(reject.wrap(frames[2] ?? Buffer.alloc(0), framing)).toBeUndefined();
    expect(reject.businessRejectReason).toBe(BusinessRejectReasonEnum.NotAuthorized);
    expect(Buffer.from(reject.text).toString()).toBe('Not authorized to trade that instrument');
  });
});
