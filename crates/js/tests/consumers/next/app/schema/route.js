import { check } from "evalcheck";

export async function POST(request) {
  const form = await request.formData();
  const schema = { name: "schema.json", text: '{"properties":{"input":{"required":["id"]}}}' };
  return Response.json(await check(form.get("file"), { schema }));
}
