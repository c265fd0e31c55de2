// What a site can do with the report: say it in its own words.
document.addEventListener("evalcheck:report", (event) => {
  if (event.target.id !== "submission") return;
  const { valid, file, counts } = event.detail;
  document.getElementById("verdict").textContent = valid
    ? `${file.name} can be sent in: ${counts.records} conversations.`
    : `${file.name} would not be judged: ${counts.invalid} of ${counts.records} conversations do not load.`;
});
