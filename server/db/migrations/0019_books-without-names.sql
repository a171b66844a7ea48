ALTER TABLE "charges" DROP CONSTRAINT "charges_student";
--> statement-breakpoint
ALTER TABLE "ledger_lines" DROP CONSTRAINT "ledger_lines_student";
--> statement-breakpoint
ALTER TABLE "cash_counts" ALTER COLUMN "counted" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "cash_counts" ALTER COLUMN "expected" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "receipts" ALTER COLUMN "total" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "charges" ALTER COLUMN "student_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_lines" ALTER COLUMN "student_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "amount" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE set null ("student_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE set null ("student_id") ON UPDATE no action;--> statement-breakpoint
-- The books keep the sums of a student who is deleted. What was noted beside them may tell of the student, so it goes.
CREATE FUNCTION "empty_ledger_note"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.note := NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "empty_ledger_note" BEFORE UPDATE OF "student_id" ON "charges"
  FOR EACH ROW WHEN (NEW.student_id IS NULL) EXECUTE FUNCTION empty_ledger_note();--> statement-breakpoint
CREATE TRIGGER "empty_ledger_note" BEFORE UPDATE OF "student_id" ON "ledger_lines"
  FOR EACH ROW WHEN (NEW.student_id IS NULL) EXECUTE FUNCTION empty_ledger_note();
