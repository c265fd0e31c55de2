export default {
  mode: "production",
  entry: "./src/main.js",
  output: { clean: true },
  // The wasm is larger than what webpack recommends.
  performance: { assetFilter: (name) => !name.endsWith(".wasm") },
};
