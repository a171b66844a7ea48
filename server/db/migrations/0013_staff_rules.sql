ALTER TABLE "staff_rules" DROP CONSTRAINT "staff_rules_dojo";
