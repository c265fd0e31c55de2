import { check } from "evalcheck";

export async function POST(request) {
  const form = await request.formData();
  return Response.json(await check(form.get("file")));
}
