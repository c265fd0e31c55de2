export default {
  serverExternalPackages: ["evalcheck"],
};
