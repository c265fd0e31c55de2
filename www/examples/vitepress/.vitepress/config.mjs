import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Plover",
  description: "A made-up library for evaluation, with its data checker in the page.",
  // The tests say below which path they serve it.
  base: process.env.SITE_BASE ?? "/",
  head: [
    ["link", { rel: "icon", href: "data:," }],
    ["script", { async: "", src: "https://tools.example.org/evalcheck/embed.js" }],
  ],
  vue: {
    template: {
      compilerOptions: {
        // An element of the browser, and no component of Vue.
        isCustomElement: (tag) => tag === "eval-check",
      },
    },
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/guide" },
      { text: "Check a run", link: "/check" },
    ],
    sidebar: [
      { text: "Guide", link: "/guide" },
      { text: "Check a run", link: "/check" },
    ],
  },
});
